-- Counts a request against a limit an hour, if it has room. Answers with what was counted before it, from which the
-- caller reads the judgement; the caller's arithmetic is the same (hourly.rs).
--
-- KEYS  the subject's hour    ARGV  one string: window, seconds into it, limit, weight

local window, elapsed, limit, weight = struct.unpack('<ddII', ARGV[1])
local HOUR, LIVES = 3600, 7200

local present, current, previous = window, 0, 0
local kept = redis.call('GET', KEYS[1])
if kept then present, current, previous = struct.unpack('<dII', kept) end
-- A window that lies further ahead than one was counted by a clock that was wrong (hourly.rs).
if window > present or window < present - 1 then
  previous = window == present + 1 and current or 0
  present, current = window, 0
end
if current + math.ceil(previous * (HOUR - elapsed) / HOUR) + weight <= limit then
  redis.call('SET', KEYS[1], struct.pack('<dII', present, current + weight, previous), 'EX', LIVES)
end
return { present, current, previous }
