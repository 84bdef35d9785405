// What receipts say in short, in words for people.

const words = {
  again: "the person was alerted again",
  "arrived-late": "it came after its end, and was not shown",
  blanked: "it came after its end, and its text was withheld",
  "removed-from-screen": "its end came while it was in the list, and it was removed",
};

/** A detail of an event: a receipt's in words, an action's or APNs' own as it is. */
export const inWords = (detail) => words[detail] ?? detail;
