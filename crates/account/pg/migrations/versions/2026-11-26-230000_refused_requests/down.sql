-- Locks: ACCESS EXCLUSIVE on refused_requests, which goes.

DROP TABLE refused_requests;
