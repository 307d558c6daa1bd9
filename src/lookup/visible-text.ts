/** Unicode's ignorable characters, two more that are drawn blank, and combining marks, which need a letter. */
const visible = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u;

/** Whether a person sees anything of it. One rule for the service and the console. */
export const isVisible = (text: string) => visible.test(text);
