-- Text, since diesel writes a query of its own anew each time that it is sent.
SELECT settings, created_at, updated_at, updated_by FROM uptime_monitors WHERE domain_id = $1
