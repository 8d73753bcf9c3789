/** Schemas whose grammars are tried: what OpenAI documents as possible, what pydantic and zod write, and the corners of each keyword. */

const address = {
  type: "object",
  properties: { street: { type: "string" }, number: { type: "integer" } },
  required: ["street", "number"],
  additionalProperties: false,
};

export const usableSchemas: readonly (readonly [string, object])[] = [
  ["any value", {}],
  ["text", { type: "string" }],
  ["text of some length", { type: "string", minLength: 2, maxLength: 5 }],
  ["a long text", { type: "string", minLength: 1500, maxLength: 2600 }],
  ["a number", { type: "number" }],
  ["a whole number", { type: "integer" }],
  ["true or false", { type: "boolean" }],
  ["nothing at all (only null)", { type: "null", title: "only" }],
  ["several types", { type: ["string", "integer", "null"] }],
  ["one constant (only)", { const: { a: ["only", 1] } }],
  ["listed values", { enum: ["red", 'say "hi"', 3, null, { deep: [true] }] }],
  ["listed values of one type", { type: "string", enum: ["a", "b", 3] }],
  ["an object", address],
  ["an object of optional members", { type: "object", properties: { a: { type: "string" }, b: { type: "null" } } }],
  ["an object of numbers under any name", { type: "object", additionalProperties: { type: "number" } }],
  ["an empty object (only)", { type: "object", properties: {}, additionalProperties: false, title: "only" }],
  ["a member that is required and not described", { type: "object", properties: { a: {} }, required: ["a", "z"] }],
  [
    "names that need escapes",
    {
      type: "object",
      properties: { 'a"b\\': { type: "integer" }, "é\n": { type: "integer" } },
      required: ['a"b\\'],
      additionalProperties: true,
    },
  ],
  ["a list", { type: "array", items: { type: "integer" } }],
  ["a list of some length", { type: "array", items: { type: "boolean" }, minItems: 2, maxItems: 4 }],
  ["an empty list (only)", { type: "array", maxItems: 0, title: "only" }],
  [
    "a tuple",
    { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false, minItems: 2, maxItems: 2 },
  ],
  [
    "a tuple and more",
    { type: "array", prefixItems: [{ type: "string" }], items: { type: "integer" }, minItems: 3, maxItems: 5 },
  ],
  ["any of several", { anyOf: [{ type: "string" }, address, { type: "null" }] }],
  [
    "any of several beside members",
    {
      type: "object",
      properties: { kind: { type: "string" }, a: { type: "integer" }, b: { type: "integer" } },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    },
  ],
  [
    "one of several told apart by a constant",
    {
      oneOf: [
        { type: "object", properties: { kind: { const: "cat" }, lives: { type: "integer" } }, required: ["kind"] },
        { type: "object", properties: { kind: { const: "dog" }, barks: { type: "boolean" } }, required: ["kind"] },
      ],
    },
  ],
  ["all of several", { allOf: [address, { properties: { number: { minimum: 5 } } }], required: ["number"] }],
  [
    "a definition",
    { type: "object", properties: { home: { $ref: "#/$defs/address" } }, required: ["home"], $defs: { address } },
  ],
  ["a definition with a remark beside it", { $ref: "#/$defs/address", description: "x", $defs: { address } }],
  [
    "a definition with more beside it",
    { $ref: "#/$defs/n", maximum: 7, $defs: { n: { type: "integer", minimum: 3 } } },
  ],
  [
    "a schema that holds itself",
    {
      type: "object",
      properties: { value: { type: "integer" }, next: { anyOf: [{ $ref: "#" }, { type: "null" }] } },
      required: ["value", "next"],
      additionalProperties: false,
    },
  ],
  [
    "a tree",
    {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          type: "object",
          properties: { children: { type: "array", items: { $ref: "#/$defs/node" }, maxItems: 2 } },
        },
      },
    },
  ],
  ...["date", "time", "date-time", "duration", "uuid", "email", "hostname", "ipv4", "ipv6", "uri"].map(
    (format) => [`the format ${format}`, { type: "string", format }] as const,
  ),
  ...[
    ...[
      "^[A-Z]{2}\\d{4}$",
      "^(red|green|blue)$",
      "abc",
      "^\\w+([.-]\\w+)*$",
      "^a|b$",
      '^[^"\\\\]+$',
      "^[ -~]{1,5}$",
      "^\\S\\s\\D\\W.$",
    ],
    ...[
      "^(?:x|y){2,}z?$",
      "^[\\d\\-\\]^]+$",
      "^(?<year>\\d{4})-\\d\\d$",
      '^"\\\\\\u0041\\n\\/$',
      "^[äöü]+?$",
      "^\\$\\^$",
      "^$",
      "^[\\s\\w]*$",
    ],
  ].map(
    (pattern) =>
      [
        `the pattern ${pattern}`,
        {
          type: "string",
          pattern,
          title: pattern === "^$" || pattern.startsWith('^"') || pattern === "^\\$\\^$" ? "only" : "",
        },
      ] as const,
  ),
  ...[
    [0, 0],
    [1, 12],
    [-5, 5],
    [-120, -7],
    [37, 1999],
    [100, 999],
    [-1, 0],
    [99, 100],
  ].map(
    ([minimum = 0, maximum = 0]) =>
      [
        `whole numbers from ${minimum} to ${maximum}`,
        { type: "integer", minimum, maximum, title: minimum === maximum ? "only" : "" },
      ] as const,
  ),
  ["whole numbers between exclusive bounds", { type: "integer", exclusiveMinimum: 3, exclusiveMaximum: 6.5 }],
  ["whole numbers from a bound on", { type: "integer", minimum: 18 }],
  ["whole numbers up to a bound", { type: "integer", maximum: -18 }],
  ["numbers between bounds", { type: "number", minimum: 0, maximum: 1 }],
  ["numbers above a bound", { type: "number", exclusiveMinimum: 0 }],
  ["numbers below a bound", { type: "number", exclusiveMaximum: 0, minimum: -2.5 }],
  ["numbers around zero", { type: "number", minimum: -1.5, maximum: 2.5 }],
  [
    "what pydantic writes of an optional model",
    {
      $defs: { Color: { enum: ["red", "blue"], title: "Color", type: "string" } },
      properties: {
        color: { allOf: [{ $ref: "#/$defs/Color" }], default: "red" },
        tags: { anyOf: [{ items: { type: "string" }, type: "array" }, { type: "null" }], default: null, title: "Tags" },
        scores: { additionalProperties: { type: "integer" }, title: "Scores", type: "object" },
      },
      required: ["color", "tags", "scores"],
      title: "Car",
      type: "object",
    },
  ],
];
