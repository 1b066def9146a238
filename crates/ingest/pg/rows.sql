INSERT INTO collect_sites (domain_id, site_key, secret_digest, created_at) VALUES
    (
        '01900000-0000-7000-8000-000000000021', 'pst_0123456789ABCDEFGHabcd', decode(repeat('ab', 32), 'hex'),
        '2026-01-02 10:00Z'
    );

INSERT INTO collect_salts (day, salt) VALUES ('2026-01-02', decode(repeat('cd', 32), 'hex'));

INSERT INTO collect_bots (domain_id, day, beacons) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-02', 7);
