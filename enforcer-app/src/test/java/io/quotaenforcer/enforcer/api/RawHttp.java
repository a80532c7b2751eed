package io.quotaenforcer.enforcer.api;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** HTTP by sockets, byte by byte: requests that no client library would send. */
final class RawHttp {
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)");

  private RawHttp() {}

  static Socket connect(int port) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  static void send(Socket socket, String text) throws IOException {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
    } catch (SocketException closedAlready) {
      // The answer tells why.
      return;
    }
  }

  /** Sends on until the server has had enough. */
  static String flood(Socket socket, String chunk, int most) throws IOException {
    for (int i = 0; i < most && socket.getInputStream().available() == 0; i++) {
      send(socket, chunk);
    }
    return answer(socket);
  }

  /** One answer, or what comes of it until the server closes the connection. */
  static String answer(Socket socket) throws IOException {
    StringBuilder text = new StringBuilder();
    byte[] buffer = new byte[8_192];
    try {
      while (!isWhole(text)) {
        int count = socket.getInputStream().read(buffer);
        if (count < 0) {
          break;
        }
        text.append(new String(buffer, 0, count, StandardCharsets.US_ASCII));
      }
    } catch (SocketException reset) {
      return text.toString();
    }
    return text.toString();
  }

  private static boolean isWhole(CharSequence text) {
    Matcher length = LENGTH.matcher(text);
    int body = text.toString().indexOf("\r\n\r\n") + 4;
    return length.find() && body > 4 && text.length() - body >= Integer.parseInt(length.group(1));
  }
}
