package io.quotaenforcer.server;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * An answer that goes on: server-sent events, without a thread of its own. What its client has not
 * read yet is bounded, and a client that reads nothing for too long is disconnected. Safe for any
 * number of threads.
 */
public final class EventStream {
  /** Bytes that wait for a client, beside the piece that is being written. */
  public static final int MOST_WAITING_BYTES = 256 << 10;

  private static final AttributeKey<Boolean> STREAMED =
      AttributeKey.valueOf(EventStream.class, "STREAMED");

  private final ServiceRequestContext context;
  private final Duration reading;
  private final HttpResponseWriter writer = HttpResponse.streaming();
  private final Queue<HttpData> waiting = new ArrayDeque<>();
  private int waitingBytes;
  private int writtenBytes;
  private boolean isBegun;
  private boolean isEnded;

  /**
   * The answer to a request, to which nothing is sent yet. The request may then take as long as the
   * stream does.
   *
   * @param reading longest time that the client may leave a piece unread
   */
  public EventStream(ServiceRequestContext context, Duration reading) {
    this.context = context;
    this.reading = reading;
    context.setAttr(STREAMED, true);
    // However it ends.
    context.log().whenComplete().thenRun(this::forget);
  }

  /** Whether a caller asks for events. */
  public static boolean isAskedFor(RequestHeaders headers) {
    return headers.get(HttpHeaderNames.ACCEPT, "").contains("text/event-stream");
  }

  /** Whether the answer to a request may be a stream, whose bounds are its own. */
  static boolean mayAnswer(ServiceRequestContext context) {
    return Boolean.TRUE.equals(context.attr(STREAMED));
  }

  public HttpResponse response() {
    return writer;
  }

  /** Sends an event, whose data has one line; false when the stream has ended. */
  public boolean send(String event, String data) {
    return write("event: " + event + "\ndata: " + data + "\n\n");
  }

  /** Sends what clients ignore, so that neither side takes the other to be gone. */
  public boolean beat() {
    return write(":\n\n");
  }

  private synchronized boolean write(String text) {
    if (isEnded) {
      return false;
    }
    HttpData data = HttpData.ofUtf8(text);
    if (waitingBytes + data.length() > MOST_WAITING_BYTES && !waiting.isEmpty()) {
      drop();
      return false;
    }
    waiting.add(data);
    waitingBytes += data.length();
    begin();
    next();
    return !isEnded;
  }

  private void begin() {
    if (!isBegun) {
      isBegun = true;
      context.clearRequestTimeout();
      writer.write(
          ResponseHeaders.builder(HttpStatus.OK)
              .contentType(MediaType.EVENT_STREAM)
              .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
              .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff")
              .build());
    }
  }

  /** Writes the next piece, unless one is being written. */
  private void next() {
    HttpData data = writtenBytes == 0 ? waiting.poll() : null;
    if (data == null) {
      return;
    }
    waitingBytes -= data.length();
    writtenBytes = data.length();
    if (!writer.tryWrite(data)) {
      forget();
      return;
    }
    ScheduledFuture<?> deadline =
        context.eventLoop().withoutContext().schedule(this::drop, reading.toMillis(), MILLISECONDS);
    writer
        .whenConsumed()
        .whenComplete(
            (done, failure) -> {
              deadline.cancel(false);
              written(failure);
            });
  }

  private synchronized void written(@Nullable Throwable failure) {
    writtenBytes = 0;
    if (failure != null) {
      forget();
    } else if (!isEnded) {
      next();
    } else if (waiting.isEmpty()) {
      writer.close();
    } else {
      next();
    }
  }

  /** Whether something that was sent has not been read. */
  public synchronized boolean isBehind() {
    return writtenBytes > 0;
  }

  /** Bytes that are kept for the client. */
  public synchronized int keptBytes() {
    return waitingBytes + writtenBytes;
  }

  public synchronized boolean isOpen() {
    return !isEnded;
  }

  /** Whether the answer is this stream: something was sent. */
  public synchronized boolean isBegun() {
    return isBegun;
  }

  /** Ends it, once the client has read what was sent. */
  public synchronized void end() {
    if (!isEnded) {
      isEnded = true;
      begin();
      if (writtenBytes == 0 && waiting.isEmpty()) {
        writer.close();
      }
    }
  }

  /** Disconnects a client that does not read. */
  private void drop() {
    Channel channel = context.log().ensureAvailable(RequestLogProperty.SESSION).channel();
    forget();
    writer.abort();
    if (channel != null) {
      channel.close();
    }
  }

  private synchronized void forget() {
    isEnded = true;
    waiting.clear();
    waitingBytes = 0;
    writtenBytes = 0;
  }
}
