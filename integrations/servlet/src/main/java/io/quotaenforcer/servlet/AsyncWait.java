package io.quotaenforcer.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Requests that wait without a thread. */
final class AsyncWait {
  private AsyncWait() {}

  /**
   * Has a request wait until it is dispatched or completed. The wait itself is bounded elsewhere.
   *
   * @param abandoned is called if its client is gone
   */
  static AsyncContext begin(
      HttpServletRequest request, HttpServletResponse response, Runnable abandoned) {
    AsyncContext context = request.startAsync(request, response);
    context.setTimeout(0);
    context.addListener(
        new AsyncListener() {
          @Override
          public void onComplete(AsyncEvent event) {}

          @Override
          public void onTimeout(AsyncEvent event) {}

          @Override
          public void onError(AsyncEvent event) {
            abandoned.run();
          }

          @Override
          public void onStartAsync(AsyncEvent event) {}
        });
    return context;
  }
}
