-- Gives the place of a heavy query back.
--
-- KEYS  credential's header    ARGV  the place's number

local header = redis.call('GET', KEYS[1])
if not header then return 0 end
local _, _, _, _, _, _, _, _, _, _, _, _, first = struct.unpack('<dHHBHHBHHBdI', header)
for at = first, #header, 16 do
  if string.sub(header, at + 8, at + 15) == ARGV[1] then
    header = string.sub(header, 1, at - 1) .. string.sub(header, at + 16)
    redis.call('SET', KEYS[1], header, 'KEEPTTL')
    return 1
  end
end
return 0
