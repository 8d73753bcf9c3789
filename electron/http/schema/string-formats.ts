/** The formats of texts that can be written by rule, as regular expressions. Each allows only what the format does. */

const day = "(0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|1\\d|2[0-8])";
const date = `[12]\\d{3}-(${day})`;
const time = "([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,6})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)";
const octet = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const label = "[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?";
const host = `${label}(\\.${label}){1,4}`;

export const formatPatterns: Readonly<Record<string, string>> = {
  date: `^${date}$`,
  time: `^${time}$`,
  "date-time": `^${date}T${time}$`,
  duration: "^P(\\d{1,4}W|\\d{1,4}D|\\d{1,4}DT\\d{1,4}H|T\\d{1,4}H|T\\d{1,4}M|T\\d{1,4}S)$",
  uuid: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
  email: `^[a-z0-9]+([._+-][a-z0-9]+){0,4}@${host}$`,
  hostname: `^${host}$`,
  ipv4: `^${octet}(\\.${octet}){3}$`,
  ipv6: "^[0-9a-f]{1,4}(:[0-9a-f]{1,4}){7}$",
  uri: `^https?://${host}(/[A-Za-z0-9._~-]{1,60}){0,8}$`,
};
