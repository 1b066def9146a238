// The tag of somebody else, as many shops have one: it keeps each page busy for a moment as it loads.
for (const end = performance.now() + 90; performance.now() < end; );
