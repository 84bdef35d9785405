-- What wrk sends to POST /v1/notifications: each call a new message for one of USERS users, with the key of KEY.
local users, key = tonumber(os.getenv("USERS")), os.getenv("KEY")
local headers = { authorization = "Bearer " .. key, ["content-type"] = "application/json" }
local count = 0

function init()
  math.randomseed(42)
end

function request()
  count = count + 1
  return wrk.format("POST", "/v1/notifications", headers, string.format(
    '{"to":{"user":"u-%d"},"payload":{"aps":{"alert":{"title":"A new episode","body":"Number %d is out: forty minutes about bells"},'
    .. '"sound":"default"},"episode":%d}}', math.random(0, users - 1), count, count))
end
