/** The one wording for a prompt that does not fit: agent programs match it to shorten their conversation. */
export function contextLengthMessage(promptTokens: number, slotTokens: number): string {
  return (
    `This model's maximum context length is ${slotTokens} tokens. However, your messages resulted in ` +
    `${promptTokens} tokens. Please reduce the length of the messages.`
  );
}
