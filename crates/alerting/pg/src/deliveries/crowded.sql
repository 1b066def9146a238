-- Takes down that the channel tells of deliveries that were dropped, which it does once until few wait for it again. No row: it has
-- told of it, or is off.
UPDATE alert_channels
SET crowding_told_at = now()
WHERE id = $1 AND crowding_told_at IS NULL AND off_reason IS NULL
RETURNING crowding_told_at AS present
