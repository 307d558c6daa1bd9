-- Each request for another day, and for more of them than a server would remember.
local n = 0

function request()
  n = n + 1
  local day = string.format("20%02d-%02d-%02d", 30 + n % 60, 1 + n % 12, 1 + n % 28)
  return wrk.format("GET", wrk.path .. "?asOf=" .. day)
end
