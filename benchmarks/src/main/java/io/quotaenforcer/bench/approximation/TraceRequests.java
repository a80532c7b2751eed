package io.quotaenforcer.bench.approximation;

import io.quotaenforcer.enforcer.log.CsvColumns;
import io.quotaenforcer.enforcer.log.LogFormat;
import io.quotaenforcer.enforcer.log.LogLine;
import io.quotaenforcer.enforcer.log.LogReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A real log: its hosts are the sources; where it names none, the whole of it is one. */
record TraceRequests(String name, int sources, List<Request> requests) implements Requests {

  private record Request(int source, long nanos) {}

  static TraceRequests read(Path file) throws IOException {
    Map<String, Integer> sources = new HashMap<>();
    List<Request> requests = new ArrayList<>();
    try (LogReader reader = LogReader.open(file, LogFormat.ofFile(file), CsvColumns.DEFAULTS)) {
      for (Optional<LogLine> line = reader.next(); line.isPresent(); line = reader.next()) {
        if (line.get() instanceof LogLine.Parsed parsed) {
          String host = parsed.request().attributes().getOrDefault("host", "");
          Integer source = sources.computeIfAbsent(host, it -> sources.size());
          requests.add(new Request(source, parsed.timeNanos()));
        }
      }
    }
    requests.sort(Comparator.comparingLong(Request::nanos));
    return new TraceRequests(String.valueOf(file.getFileName()), sources.size(), requests);
  }

  @Override
  public void forEach(Sink sink) {
    requests.forEach(request -> sink.accept(request.source, request.nanos));
  }

  /** Most requests that a source makes within a period. */
  int peak(long periodNanos) {
    ExactLog[] logs = new ExactLog[sources];
    int peak = 0;
    for (Request request : requests) {
      ExactLog log = logs[request.source];
      if (log == null) {
        log = new ExactLog(periodNanos);
        logs[request.source] = log;
      }
      log.add(request.nanos);
      peak = Math.max(peak, log.count(request.nanos));
    }
    return peak;
  }
}
