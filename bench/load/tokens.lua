-- Each request uses the next token of a file: wrk … URL -- FILE
local requests = {}
local n = 0

function init(args)
  for token in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", nil, { Authorization = "Bearer " .. token })
  end
end

function request()
  n = n % #requests + 1
  return requests[n]
end
