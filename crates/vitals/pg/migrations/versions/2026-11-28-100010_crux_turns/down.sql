DROP TABLE crux_turns;
