const [MINUTE, HOUR] = [60, 3_600];

/** From one attempt of a delivery to the next, spelled once more. */
export const WAITS_SECONDS = [
  5,
  ...[5, 30].map((minutes) => minutes * MINUTE),
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
];
