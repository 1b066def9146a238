-- Judges one request and counts it, if every bucket lets it in. Answers with what was counted before it, packed, from
-- which the caller reads the judgement; the caller's arithmetic is the same (counters.rs, judgement.rs).
--
-- KEYS  credential's header, its slices; of a RUM read the route's header, its slices; of a heavy query the permits of
--       the workspace, if any; the workspace's day, if any
-- ARGV  one string: milliseconds, slice and day of the request; which bucket counts besides general (0 none,
--       1 heavy-query, 2 run); the ceilings, 0 where there is none; the number of the permit that a heavy query takes
--
-- A header holds what every call needs: the present slice and, for each bucket, the sum over the minute, the count of
-- the present slice and the age of the oldest slice that counts. The slices before the present one lie apart, the
-- youngest first, and are touched when the present one changes.

local call, pack, unpack = redis.call, struct.pack, struct.unpack

local now, slice, day, extra, general_limit, extra_limit, at_once, daily_limit, rum_limit, workspace_limit,
  workspace_at_once, number = unpack('<dddBIIIIIIIc8', ARGV[1])

local SLICES = 12
local SLOT_MS = 60000
local MINUTE_LIVES, DAY_LIVES = 180, 172800

-- The permits of heavy queries that are under way, without those that were taken a minute ago, and how many they are.
local function held_of(permits)
  local under_way, held = 0, {}
  for at = 1, #permits, 16 do
    if math.abs(now - unpack('<d', permits, at)) < SLOT_MS then
      under_way = under_way + 1
      held[under_way] = string.sub(permits, at, at + 15)
    end
  end
  return under_way, held
end

-- How many slices the window moves on: 0 where it stays, SLICES where nothing of it is left.
local function steps_from(present)
  local steps = slice - present
  if steps <= 0 and steps >= -SLICES then return 0 end
  if steps < 0 or steps > SLICES then return SLICES end
  return steps
end

-- Moves the slices of `n` buckets on. `present` is what was counted in the slice that was the present one.
-- Answers with the sums over what is left, and the ages of the oldest slices.
local function move_on(key, n, steps, present)
  local sums, ages = {}, {}
  for bucket = 1, n do sums[bucket], ages[bucket] = 0, 0 end
  if steps >= SLICES then
    call('DEL', key)
    return sums, ages
  end
  local width = 2 * n
  local past = string.rep('\0', width * (steps - 1)) .. present
    .. string.sub(call('GET', key) or '', 1, width * (SLICES - 1 - steps))
  call('SET', key, past, 'EX', MINUTE_LIVES)
  local at = 1
  for age = 1, #past / width do
    for bucket = 1, n do
      local count
      count, at = unpack('<H', past, at)
      if count > 0 then
        sums[bucket] = sums[bucket] + count
        ages[bucket] = age
      end
    end
  end
  return sums, ages
end

-- The credential.
local header = call('GET', KEYS[1])
local present, general, general_now, general_age = 0, 0, 0, 0
local heavy, heavy_now, heavy_age, runs, runs_now, runs_age = 0, 0, 0, 0, 0, 0
local credential_day, credential_used, permits = 0, 0, ''
if header then
  local rest
  present, general, general_now, general_age, heavy, heavy_now, heavy_age, runs, runs_now, runs_age,
    credential_day, credential_used, rest = unpack('<dHHBHHBHHBdI', header)
  permits = string.sub(header, rest)
end
local steps = steps_from(present)
if steps > 0 then
  local sums, ages = move_on(KEYS[2], 3, steps, pack('<HHH', general_now, heavy_now, runs_now))
  present, general_now, heavy_now, runs_now = slice, 0, 0, 0
  general, heavy, runs = sums[1], sums[2], sums[3]
  general_age, heavy_age, runs_age = ages[1], ages[2], ages[3]
end
if day > credential_day or day < credential_day - 1 then
  credential_day, credential_used = day, 0
end
local used, age = 0, 0
if extra == 1 then used, age = heavy, heavy_age elseif extra == 2 then used, age = runs, runs_age end

-- The heavy queries under way, of the credential and of the workspace.
local under_way, held, workspace_under_way, workspace_held = 0, {}, 0, {}
if at_once > 0 then under_way, held = held_of(permits) end
if workspace_at_once > 0 then
  workspace_under_way, workspace_held = held_of(call('GET', KEYS[#KEYS - 1]) or '')
end

-- The RUM route, for this client.
local rum_present, rum, rum_now, rum_age, rum_steps = 0, 0, 0, 0, 0
if rum_limit > 0 then
  local rum_header = call('GET', KEYS[3])
  if rum_header then rum_present, rum, rum_now, rum_age = unpack('<dHHB', rum_header) end
  rum_steps = steps_from(rum_present)
  if rum_steps > 0 then
    local sums, ages = move_on(KEYS[4], 1, rum_steps, pack('<H', rum_now))
    rum_present, rum_now, rum, rum_age = slice, 0, sums[1], ages[1]
  end
end

local admitted = general < general_limit and credential_used < daily_limit
  and (extra == 0 or used < extra_limit) and (at_once == 0 or under_way < at_once)
  and (workspace_at_once == 0 or workspace_under_way < workspace_at_once)
  and (rum_limit == 0 or rum < rum_limit)

-- The workspace, whose day and count are one number, so that a single command counts.
local DAY = 2147483648
local workspace_day, workspace_used = 0, 0
if workspace_limit > 0 then
  local key = KEYS[#KEYS]
  local both = admitted and call('INCR', key) - 1 or tonumber(call('GET', key) or 0)
  workspace_day = math.floor(both / DAY)
  workspace_used = both - workspace_day * DAY
  if day > workspace_day or day < workspace_day - 1 then
    workspace_day, workspace_used = day, 0
    call('SET', key, string.format('%.0f', day * DAY + (admitted and 1 or 0)), 'EX', DAY_LIVES)
  elseif admitted and workspace_used >= workspace_limit then
    call('DECR', key)
    admitted = false
  end
end

local counts = pack('<i8i8i8i8i8i8i8i8i8i8i8i8i8i8', present, general, general_age, used, age, under_way,
  credential_day, credential_used, rum_present, rum, rum_age, workspace_day, workspace_used, workspace_under_way)

if admitted then
  general, general_now, credential_used = general + 1, general_now + 1, credential_used + 1
  if extra == 1 then
    local permit = pack('<d', now) .. number
    heavy, heavy_now, permits = heavy + 1, heavy_now + 1, table.concat(held) .. permit
    if workspace_at_once > 0 then
      call('SET', KEYS[#KEYS - 1], table.concat(workspace_held) .. permit, 'EX', MINUTE_LIVES)
    end
  elseif extra == 2 then
    runs, runs_now = runs + 1, runs_now + 1
  end
  rum, rum_now = rum + 1, rum_now + 1
end
if admitted or steps > 0 then
  header = pack('<dHHBHHBHHBdI', present, general, general_now, general_age, heavy, heavy_now, heavy_age,
    runs, runs_now, runs_age, credential_day, credential_used) .. permits
  if steps > 0 then call('SET', KEYS[1], header, 'EX', DAY_LIVES) else call('SET', KEYS[1], header, 'KEEPTTL') end
end
if rum_limit > 0 and (admitted or rum_steps > 0) then
  call('SET', KEYS[3], pack('<dHHB', rum_present, rum, rum_now, rum_age), 'EX', MINUTE_LIVES)
end
return counts
