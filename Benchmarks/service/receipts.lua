-- What wrk sends to POST /v1/receipts: phone after phone of PHONES says that it has received and shown MESSAGE.
local phones, message, secret = tonumber(os.getenv("PHONES")), os.getenv("MESSAGE"), os.getenv("SECRET")
local count = 0

function request()
  local phone = count % phones
  -- Who has said it before says something new: a receipt counts by its id.
  local round = math.floor(count / phones)
  count = count + 1
  local receipt = '{"id":"%s-%d-%d-%s","message":"%s","event":"%s","at":"2026-11-23T00:00:00Z"}'
  local body = string.format('{"receipts":[%s,%s]}',
    string.format(receipt, message, phone, round, "received", message, "received"),
    string.format(receipt, message, phone, round, "shown", message, "shown"))
  return wrk.format("POST", "/v1/receipts",
    { authorization = string.format("Bearer phone-%d:%s", phone, secret), ["content-type"] = "application/json" }, body)
end
