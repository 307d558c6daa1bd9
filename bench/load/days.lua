-- Each request is for a different day. There are more days than a server would cache.
local n = 0

function request()
  n = n + 1
  local day = string.format("20%02d-%02d-%02d", 30 + n % 60, 1 + n % 12, 1 + n % 28)
  return wrk.format("GET", wrk.path .. "?asOf=" .. day)
end
