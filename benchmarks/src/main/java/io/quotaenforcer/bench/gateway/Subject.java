package io.quotaenforcer.bench.gateway;

import io.quotaenforcer.bench.gateway.load.Caller;
import io.quotaenforcer.bench.gateway.load.Load;
import io.quotaenforcer.bench.gateway.load.Users;
import io.quotaenforcer.bench.gateway.served.Kind;
import io.quotaenforcer.bench.gateway.served.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** A server asked in one way, and what was measured of it so far. By one thread. */
final class Subject implements AutoCloseable {
  private static final double HALF = 0.5;

  private final Protocol protocol;
  private final Kind kind;
  private final Server server;
  private final Caller caller;
  private final Users users;
  private final List<Peak> peaks = new ArrayList<>();
  private final List<Histogram> halves = new ArrayList<>();
  private long failedAtHalf;

  Subject(Protocol protocol, Kind kind, Server server, Users users) throws IOException {
    this.protocol = protocol;
    this.kind = kind;
    this.server = server;
    this.caller = protocol.caller(server.ports(), users);
    this.users = users;
  }

  Protocol protocol() {
    return protocol;
  }

  Kind kind() {
    return kind;
  }

  String name() {
    return name(protocol, kind);
  }

  static String name(Protocol protocol, Kind kind) {
    return protocol.text() + ", " + kind.text();
  }

  /** Returns whether it became steady. */
  boolean warmUp(WarmUp warmUp) throws InterruptedException {
    return warmUp.run(time -> Load.closed(caller, users, Protocol.CONCURRENT, time).answered());
  }

  void measurePeak(Duration time) throws InterruptedException {
    Peak.Clock before = Peak.Clock.of(server);
    Load.Result result = Load.closed(caller, users, Protocol.CONCURRENT, time);
    peaks.add(Peak.of(result, time, before, Peak.Clock.of(server)));
  }

  /** After all peaks. */
  void measureHalf(Duration time) throws InterruptedException {
    Load.Result result = Load.open(caller, users, peak() * HALF, time);
    halves.add(result.times());
    failedAtHalf += result.failed();
  }

  double peak() {
    return GatewayRow.median(peaks, Peak::perSecond);
  }

  GatewayRow row(double peakUndecided) {
    return GatewayRow.of(protocol, kind.text(), peakUndecided, peaks, halves, failedAtHalf);
  }

  @Override
  public void close() {
    caller.close();
  }
}
