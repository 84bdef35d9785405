// The drawings of the forms' buttons, as SVG paths in a square of 24 by 24.

export const icons = {
  send: "M3 4.5v6l11 1.5-11 1.5v6L21.5 12z",
  copy: "M8 3.5h10a2 2 0 0 1 2 2v10h-2v-10H8zm-4 4a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2z",
  again: "M12 5V1.5L7.5 6 12 10.5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z",
  undo: "M9 4 4 9l5 5v-3.5h5.5a3.5 3.5 0 0 1 0 7H9v2h5.5a5.5 5.5 0 0 0 0-11H9z",
};
