/** For answers that are one person's, or change with every request. */
export const noStore = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
