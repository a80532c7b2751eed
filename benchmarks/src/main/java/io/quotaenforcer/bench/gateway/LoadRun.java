package io.quotaenforcer.bench.gateway;

import io.quotaenforcer.bench.gateway.load.Users;
import io.quotaenforcer.bench.gateway.served.Kind;
import io.quotaenforcer.bench.gateway.served.RedisProgram;
import io.quotaenforcer.bench.gateway.served.Server;
import io.quotaenforcer.bench.gateway.served.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Loads all servers, one at a time and in turn, so that what else the machine does meets all alike.
 *
 * @param users who ask
 * @param wanted whether a row is measured, by its name
 * @param progress gets what is done
 */
record LoadRun(
    GatewayScale scale,
    Optional<RedisProgram> redis,
    Users users,
    Predicate<String> wanted,
    Consumer<String> progress) {

  List<GatewayRow> run() throws Exception {
    progress.accept("starting servers ...");
    List<Subject> subjects = new ArrayList<>();
    try (Site site = Site.start(redis)) {
      for (Protocol protocol : Protocol.values()) {
        open(protocol, site.servers(), subjects);
      }
      measure(subjects);
      return rows(subjects);
    } finally {
      subjects.forEach(Subject::close);
    }
  }

  private void open(Protocol protocol, Map<Kind, Server> servers, List<Subject> to)
      throws Exception {
    for (Kind kind : Kind.values()) {
      Server server = servers.get(kind);
      if (server != null
          && (kind != Kind.REDIS || protocol == Protocol.GRPC)
          && wanted.test(Subject.name(protocol, kind))) {
        to.add(new Subject(protocol, kind, server, users));
      }
    }
  }

  private void measure(List<Subject> subjects) throws InterruptedException {
    for (Subject subject : subjects) {
      progress.accept("warming up: " + subject.name());
      if (!subject.warmUp(scale.warmUp())) {
        progress.accept("  was still getting faster");
      }
    }
    for (int round = 1; round <= scale.rounds(); round++) {
      progress.accept("peaks, round " + round + " of " + scale.rounds());
      for (Subject subject : subjects) {
        subject.measurePeak(scale.time());
      }
    }
    for (int round = 1; round <= scale.rounds(); round++) {
      progress.accept("half of each peak, round " + round + " of " + scale.rounds());
      for (Subject subject : subjects) {
        subject.measureHalf(scale.time());
      }
    }
  }

  private static List<GatewayRow> rows(List<Subject> subjects) {
    return subjects.stream()
        .map(subject -> subject.row(peakUndecided(subjects, subject.protocol())))
        .toList();
  }

  private static double peakUndecided(List<Subject> subjects, Protocol protocol) {
    return subjects.stream()
        .filter(each -> each.protocol() == protocol && each.kind() == Kind.UNDECIDED)
        .mapToDouble(Subject::peak)
        .findFirst()
        .orElse(Double.NaN);
  }
}
