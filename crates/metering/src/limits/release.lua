-- Gives permits of heavy queries back.
--
-- KEYS  of each permit the header of its credential, then of each that has one the permits of its workspace
-- ARGV  one string: how many of the keys are headers; the numbers of the permits, in the order of the keys

local call, sub, unpack = redis.call, string.sub, struct.unpack

local headers = unpack('<I', ARGV[1])

for at, key in ipairs(KEYS) do
  local kept = call('GET', key)
  if kept then
    local number = sub(ARGV[1], at * 8 - 3, at * 8 + 4)
    local first = 1
    if at <= headers then
      local _
      _, _, _, _, _, _, _, _, _, _, _, _, first = unpack('<dHHBHHBHHBdI', kept)
    end
    for permit = first, #kept, 16 do
      if sub(kept, permit + 8, permit + 15) == number then
        call('SET', key, sub(kept, 1, permit - 1) .. sub(kept, permit + 16), 'KEEPTTL')
        break
      end
    end
  end
end
