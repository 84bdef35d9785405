-- Prints what wrk has measured as one line of JSON; loaded with accept.lua or alone.
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"calls": %d, "seconds": %f, "failed": %d, "p50_ms": %f, "p99_ms": %f, "max_ms": %f}\n',
    summary.requests, summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
end
