// How large things are as they are sent: servers and browsers count bytes, and texts count characters.

/** The bytes of a text in UTF-8. */
export const bytes = (text: string): number => new TextEncoder().encode(text).length;

/** Says of one thing after the other whether it fits too into so many bytes as JSON, with a comma behind it. */
export function fitting(left: number): (value: unknown) => boolean {
  return (value) => {
    const size = bytes(JSON.stringify(value)) + 1;
    if (size > left) return false;
    left -= size;
    return true;
  };
}
