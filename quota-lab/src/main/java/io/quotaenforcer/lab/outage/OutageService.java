package io.quotaenforcer.lab.outage;

import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.limits.LimitKind;
import io.quotaenforcer.lab.process.ServiceJvms;
import io.quotaenforcer.lab.service.RequestStream;
import io.quotaenforcer.lab.service.TraceFolder;
import io.quotaenforcer.lab.service.TracedService;
import io.quotaenforcer.lab.verdict.KeyTable;
import io.quotaenforcer.lab.verdict.VerdictTerms;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The program of a service that asks for {@link StrictLimit}s. */
final class OutageService {
  static final int MAX_INSTANCES = 10;

  private OutageService() {}

  /** Arguments: bootstrap servers, name of the instance, its folder, which service, algorithms. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int service = Integer.parseInt(arguments[3]);
    List<LimitKind> kinds = Stream.of(arguments[4].split(",")).map(LimitKind::valueOf).toList();
    List<StrictLimit> limits = StrictLimit.of(kinds);
    TraceFolder traces = traces(limits);
    KeyTable keys = new KeyTable(traces.rules());
    RequestStream load = new RequestStream(arguments[1].hashCode());
    for (StrictLimit limit : limits) {
      load.add(keys.of(limit.quotaKey()), limit.request(), limit.rate(service));
    }
    TracedService.run(traces, arguments[0], arguments[1], Path.of(arguments[2]), load);
  }

  /** The traces that services write about these limits. */
  static TraceFolder traces(List<StrictLimit> limits) {
    List<Rule> rules = limits.stream().map(StrictLimit::rule).toList();
    return new TraceFolder(
        StrictLimit.DOMAIN, rules, VerdictTerms.of(Spread.SERVICES, MAX_INSTANCES));
  }

  /** Name of a service, at its start and each time that it was replaced. */
  static String name(int service, int start) {
    return "service-" + (service + 1) + (start == 0 ? "" : "-" + start);
  }

  /** How it is started: a {@linkplain #name name} tells which service it is. */
  record Program(String bootstrapServers, Collection<LimitKind> kinds, List<String> flags)
      implements ServiceJvms.Program {
    @Override
    public Class<?> main() {
      return OutageService.class;
    }

    @Override
    public List<String> arguments(String name, Path own) {
      int service = Integer.parseInt(name.split("-")[1]) - 1;
      return List.of(
          bootstrapServers,
          name,
          own.toString(),
          Integer.toString(service),
          kinds.stream().map(LimitKind::name).collect(Collectors.joining(",")));
    }
  }
}
