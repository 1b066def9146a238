// A picture that browsers take for content.
import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";

/** A picture of noise, as large in bytes as on the page: browsers pass over those that say too little for their size. */
export function picture(width, height) {
  const chunk = (type, data) => {
    const all = Buffer.concat([Buffer.from(type), data]);
    let crc = ~0;
    for (const byte of all) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(~crc >>> 0);
    return Buffer.concat([length, all, sum]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const pixels = randomBytes((width + 1) * height);
  for (let row = 0; row < height; row += 1) pixels[row * (width + 1)] = 0;
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(pixels)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), ...parts]);
}
