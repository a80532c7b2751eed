package io.quotaenforcer.server;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Bounds on one HTTP/1 connection that Armeria has not: how many requests may be in progress, sent
 * without waiting for answers, and how long the line and the headers of a request may take. Who
 * goes beyond is disconnected. HTTP/2 has bounds of its own. Confined to the connection's event
 * loop.
 */
final class ConnectionBounds extends ChannelInboundHandlerAdapter {
  /** Requests sent ahead of being read must not fill the heap. Proxies send one at a time. */
  static final int MOST_IN_PROGRESS = 32;

  private final Duration headTime;
  private int inProgress;
  private boolean isMultiplex;
  private boolean isClosing;
  private @Nullable ScheduledFuture<?> deadline;

  ConnectionBounds(Duration headTime) {
    this.headTime = headTime;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!isMultiplex && inProgress == 0 && deadline == null) {
      deadline =
          context.executor().schedule(() -> context.close(), headTime.toMillis(), MILLISECONDS);
    }
    context.fireChannelRead(message);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    headCame();
    context.fireChannelInactive();
  }

  private void headCame() {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }

  /**
   * Closes a connection as soon as no request is in progress; one of HTTP/2 is left to Armeria,
   * which tells its client first. May be called by any thread.
   */
  static void closeWhenIdle(Channel channel) {
    ConnectionBounds bounds = channel.pipeline().get(ConnectionBounds.class);
    if (bounds != null) {
      channel.eventLoop().execute(() -> bounds.closeWhenIdleNow(channel));
    }
  }

  private void closeWhenIdleNow(Channel channel) {
    isClosing = true;
    ChannelHandlerContext first = channel.pipeline().context(this);
    if (inProgress == 0 && !isMultiplex && first != null) {
      // From here, as Armeria leaves its client a second to close it; after what is not sent yet.
      SslHandler tls = channel.pipeline().get(SslHandler.class);
      ChannelFuture sent =
          tls == null ? first.writeAndFlush(Unpooled.EMPTY_BUFFER) : tls.closeOutbound();
      sent.addListener(done -> first.close());
    }
  }

  /** Counts a request; false if it is one too many, and its connection is closed. */
  static boolean begin(ServiceRequestContext request) {
    Channel channel = request.log().ensureAvailable(RequestLogProperty.SESSION).channel();
    ConnectionBounds bounds =
        channel == null ? null : channel.pipeline().get(ConnectionBounds.class);
    return bounds == null || bounds.begin(request, channel);
  }

  private boolean begin(ServiceRequestContext request, Channel channel) {
    headCame();
    isMultiplex = request.sessionProtocol().isMultiplex();
    if (!isMultiplex && inProgress >= MOST_IN_PROGRESS) {
      channel.close();
      return false;
    }
    inProgress++;
    request.log().whenComplete().thenRun(() -> channel.eventLoop().execute(() -> ended(channel)));
    return true;
  }

  private void ended(Channel channel) {
    inProgress--;
    if (isClosing) {
      closeWhenIdleNow(channel);
    }
  }
}
