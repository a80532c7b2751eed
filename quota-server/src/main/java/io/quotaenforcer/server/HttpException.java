package io.quotaenforcer.server;

/** The HTTP server cannot run; the message says why and what to do. */
public final class HttpException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public HttpException(String message, Throwable cause) {
    super(message, cause);
  }
}
