package io.quotaenforcer.bench.gateway.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.quotaenforcer.bench.gateway.load.Caller.Answer;
import io.quotaenforcer.bench.gateway.load.Caller.Receiver;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import java.util.Optional;

/** A connection with at most one request under way. By one thread. */
final class HttpConnection {
  private static final int LONGEST_ANSWER = 16 << 10;
  private static final String LENGTH = "content-length:";
  private static final String END = "\r\n\r\n";
  private static final String CLOSE = "\r\nconnection: close";
  private static final int STATUS_FROM = "HTTP/1.1 ".length();
  private static final int STATUS_TO = STATUS_FROM + 3;

  private final SocketChannel channel;
  private final ByteBuffer answer = ByteBuffer.allocate(LONGEST_ANSWER);
  private Optional<Receiver> receiver = Optional.empty();

  HttpConnection(SocketChannel channel) {
    this.channel = channel;
  }

  void send(byte[] request, Receiver to) throws IOException {
    receiver = Optional.of(to);
    answer.clear();
    ByteBuffer bytes = ByteBuffer.wrap(request);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Whether the answer is complete now. */
  boolean read() throws IOException {
    if (channel.read(answer) < 0) {
      throw new EOFException("the server closed a connection");
    }
    String text = text();
    int end = text.indexOf(END);
    return end >= 0 && text.length() >= end + END.length() + bodyLength(text.substring(0, end));
  }

  static int bodyLength(String head) {
    String lower = head.toLowerCase(Locale.ROOT);
    int at = lower.indexOf(LENGTH);
    if (at < 0) {
      return 0;
    }
    int end = lower.indexOf('\r', at);
    return Integer.parseInt(
        lower.substring(at + LENGTH.length(), end < 0 ? lower.length() : end).strip());
  }

  /** Tells who waits for the answer. */
  void deliver() {
    String status = text().substring(STATUS_FROM, STATUS_TO);
    tell(
        switch (status) {
          case "200" -> Answer.ADMITTED;
          case "403", "429" -> Answer.REFUSED;
          default -> Answer.FAILED;
        });
  }

  /** Whether the server closes the connection after this answer. */
  boolean isLastAnswer() {
    String text = text();
    int end = text.indexOf(END);
    return text.substring(0, Math.max(0, end)).toLowerCase(Locale.ROOT).contains(CLOSE);
  }

  /** Whether nothing of an answer has come. */
  boolean isUnanswered() {
    return answer.position() == 0;
  }

  /** Has the next read tell that the connection has ended. */
  void breakOff() {
    try {
      channel.shutdownInput();
    } catch (IOException ended) {
      close();
    }
  }

  void fail() {
    tell(Answer.FAILED);
  }

  private void tell(Answer with) {
    Optional<Receiver> waits = receiver;
    receiver = Optional.empty();
    waits.ifPresent(it -> it.received(with));
  }

  private String text() {
    return new String(answer.array(), 0, answer.position(), ISO_8859_1);
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
