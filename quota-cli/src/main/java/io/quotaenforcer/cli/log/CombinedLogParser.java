package io.quotaenforcer.cli.log;

import io.quotaenforcer.core.Request;
import java.util.HashMap;
import java.util.Map;

/**
 * Combined and common log format: attributes {@code host, user, method, path, protocol, status,
 * bytes, referer, agent}; a field that is {@code -} in the log, or missing, is absent.
 *
 * <p>See httpd.apache.org/docs/2.4/logs.html. Quotes and backslashes in quoted fields may be
 * escaped by a backslash; an unescaped quote is text unless a field can end there. An invalid
 * request line (a port scan, TLS on a plain port) is still a request: it has no method, path and
 * protocol.
 */
public final class CombinedLogParser implements LogParser {

  @Override
  public LogLine parse(long lineNumber, String line) {
    if (line.isBlank()) {
      return new LogLine.Unparsed(lineNumber, "is empty");
    }
    int hostEnd = line.indexOf(' ');
    int timeStart = hostEnd < 1 ? -1 : line.indexOf(" [", hostEnd);
    int timeEnd = timeStart < 0 ? -1 : line.indexOf("] \"", timeStart);
    if (timeEnd < 0) {
      return new LogLine.Unparsed(
          lineNumber, "must be: host ident user [time] \"request\" status bytes");
    }
    var timeNanos = LogTime.combined(line.substring(timeStart + 2, timeEnd));
    if (timeNanos.isEmpty()) {
      return new LogLine.Unparsed(
          lineNumber, "must have a time such as [01/Aug/1995:06:00:00 +0000]");
    }
    int requestStart = timeEnd + 3;
    int requestEnd = requestEnd(line, requestStart);
    if (requestEnd < 0) {
      return new LogLine.Unparsed(lineNumber, "must have a status after the quoted request");
    }
    Map<String, String> attributes = new HashMap<>(16);
    put(attributes, "host", line.substring(0, hostEnd));
    put(attributes, "user", user(line, hostEnd, timeStart));
    putRequest(attributes, Quoted.unescape(line.substring(requestStart, requestEnd)));
    putRest(attributes, line, requestEnd + 2);
    return new LogLine.Parsed(lineNumber, timeNanos.getAsLong(), new Request(attributes, 1));
  }

  /** The user between the ident and the time; a name may contain spaces. */
  private static String user(String line, int hostEnd, int timeStart) {
    int userStart = line.indexOf(' ', hostEnd + 1);
    return userStart < 0 || userStart >= timeStart ? "-" : line.substring(userStart + 1, timeStart);
  }

  /** The quote before the status; -1 if there is none. */
  private static int requestEnd(String line, int from) {
    for (int quote = Quoted.nextQuote(line, from);
        quote >= 0;
        quote = Quoted.nextQuote(line, quote + 1)) {
      if (isStatus(line, quote + 2) && line.charAt(quote + 1) == ' ') {
        return quote;
      }
    }
    return -1;
  }

  private static boolean isStatus(String line, int at) {
    int end = at;
    while (end < line.length() && line.charAt(end) != ' ') {
      char c = line.charAt(end);
      if ((c < '0' || c > '9') && c != '-') {
        return false;
      }
      end++;
    }
    int length = end - at;
    return length == 3 || (length == 1 && line.charAt(at) == '-');
  }

  private static void putRequest(Map<String, String> attributes, String request) {
    int methodEnd = request.indexOf(' ');
    if (methodEnd < 1 || !isToken(request, methodEnd)) {
      return;
    }
    int protocolStart = request.lastIndexOf(" HTTP/");
    boolean hasProtocol = protocolStart >= methodEnd;
    int pathEnd = hasProtocol ? protocolStart : request.length();
    attributes.put("method", request.substring(0, methodEnd));
    if (pathEnd > methodEnd + 1) {
      attributes.put("path", request.substring(methodEnd + 1, pathEnd));
    }
    if (hasProtocol) {
      attributes.put("protocol", request.substring(protocolStart + 1));
    }
  }

  private static boolean isToken(String request, int end) {
    for (int i = 0; i < end; i++) {
      char c = request.charAt(i);
      if ((c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '-' && c != '_') {
        return false;
      }
    }
    return true;
  }

  /** Status and bytes, then the quoted referer and agent if present. */
  private static void putRest(Map<String, String> attributes, String line, int statusStart) {
    int statusEnd = endOfWord(line, statusStart);
    put(attributes, "status", line.substring(statusStart, statusEnd));
    int bytesStart = Math.min(statusEnd + 1, line.length());
    int bytesEnd = endOfWord(line, bytesStart);
    put(attributes, "bytes", line.substring(bytesStart, bytesEnd));
    int refererEnd = putQuoted(attributes, "referer", line, bytesEnd + 1);
    if (refererEnd > 0) {
      putQuoted(attributes, "agent", line, refererEnd + 2);
    }
  }

  private static int putQuoted(Map<String, String> attributes, String name, String line, int at) {
    if (at >= line.length() || line.charAt(at) != '"') {
      return -1;
    }
    int end = Quoted.endOfField(line, at + 1);
    if (end > 0) {
      put(attributes, name, Quoted.unescape(line.substring(at + 1, end)));
    }
    return end;
  }

  private static int endOfWord(String line, int from) {
    int end = line.indexOf(' ', from);
    return end < 0 ? line.length() : end;
  }

  private static void put(Map<String, String> attributes, String name, String value) {
    if (!value.isEmpty() && !value.equals("-")) {
      attributes.put(name, value);
    }
  }
}
