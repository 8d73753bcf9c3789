/** Every way the endpoint says no, in one table: code -> status, type, whether a client should try again. In OpenAI's shape, always with all four members. */

interface Row {
  readonly status: number;
  readonly type: string;
  /** Whole seconds; official clients wait this long before they try again. */
  readonly retryAfterS?: number;
  /** Set where the official clients would guess wrong: they repeat 408, 409, 429 and every 5xx. */
  readonly shouldRetry?: boolean;
}

const rows = {
  invalid_json: { status: 400, type: "invalid_request_error" },
  invalid_value: { status: 400, type: "invalid_request_error" },
  missing_required_parameter: { status: 400, type: "invalid_request_error" },
  unsupported_parameter: { status: 400, type: "invalid_request_error" },
  prompt_refused: { status: 400, type: "invalid_request_error" },
  empty_prompt: { status: 400, type: "invalid_request_error" },
  context_length_exceeded: { status: 400, type: "invalid_request_error" },
  previous_response_not_found: { status: 400, type: "invalid_request_error" },
  too_many_workflows: { status: 400, type: "invalid_request_error" },
  bad_request: { status: 400, type: "invalid_request_error" },
  invalid_api_key: { status: 401, type: "invalid_request_error" },
  foreign_host: { status: 403, type: "permission_error" },
  foreign_origin: { status: 403, type: "permission_error" },
  unknown_url: { status: 404, type: "invalid_request_error" },
  model_not_found: { status: 404, type: "invalid_request_error" },
  decision_not_found: { status: 404, type: "invalid_request_error" },
  request_not_found: { status: 404, type: "invalid_request_error" },
  agent_not_found: { status: 404, type: "invalid_request_error" },
  response_not_found: { status: 404, type: "invalid_request_error" },
  workflow_not_found: { status: 404, type: "invalid_request_error" },
  method_not_allowed: { status: 405, type: "invalid_request_error" },
  request_timeout: { status: 408, type: "invalid_request_error" },
  duplicate_request: { status: 409, type: "invalid_request_error", shouldRetry: false },
  act_not_possible: { status: 409, type: "invalid_request_error", shouldRetry: false },
  request_too_large: { status: 413, type: "invalid_request_error" },
  unsupported_media_type: { status: 415, type: "invalid_request_error" },
  headers_too_large: { status: 431, type: "invalid_request_error" },
  deadline_unmeetable: { status: 400, type: "invalid_request_error" },
  deadline_exceeded: { status: 504, type: "timeout_error", shouldRetry: false },
  queue_full: { status: 429, type: "rate_limit_exceeded", retryAfterS: 5 },
  request_cancelled: { status: 500, type: "server_error", shouldRetry: false },
  engine_failure: { status: 500, type: "server_error", shouldRetry: false },
  model_not_loadable: { status: 500, type: "server_error", shouldRetry: false },
  internal_error: { status: 500, type: "server_error", shouldRetry: false },
  model_loading: { status: 503, type: "service_unavailable", retryAfterS: 5 },
  shutting_down: { status: 503, type: "service_unavailable", retryAfterS: 10 },
  no_model: { status: 503, type: "service_unavailable", retryAfterS: 30, shouldRetry: false },
  engine_unavailable: { status: 503, type: "service_unavailable", retryAfterS: 30, shouldRetry: false },
} satisfies Record<string, Row>;

export type ApiErrorCode = keyof typeof rows;

export interface ApiErrorDetails {
  /** The field at fault, in dot form: `messages.0.content`. */
  readonly param?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** More members of `error`, e.g. `n_ctx`. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface ApiErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string;
    readonly [more: string]: unknown;
  };
}

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;

  constructor(
    readonly code: ApiErrorCode,
    message: string,
    readonly details: ApiErrorDetails = {},
  ) {
    super(message);
    this.status = rows[code].status;
  }

  get headers(): Record<string, string> {
    const row: Row = rows[this.code];
    return {
      ...(row.retryAfterS === undefined ? {} : { "retry-after": String(row.retryAfterS) }),
      ...(row.shouldRetry === undefined ? {} : { "x-should-retry": String(row.shouldRetry) }),
      ...this.details.headers,
    };
  }

  get body(): ApiErrorBody {
    const { param = null, extra = {} } = this.details;
    return { error: { message: this.message, type: rows[this.code].type, param, code: this.code, ...extra } };
  }
}
