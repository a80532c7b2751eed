package io.quotaenforcer.lab.service;

import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.trace.TraceWriter;
import io.quotaenforcer.lab.verdict.VerdictTerms;
import io.quotaenforcer.rules.RuleYaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Traces of services about the same rules of one domain: each writes one in a folder of its own.
 *
 * @param terms by which they are judged together
 */
public record TraceFolder(String domain, List<Rule> rules, VerdictTerms terms) {

  public TraceFolder {
    rules = List.copyOf(rules);
  }

  /** An empty trace, with the facts that its judge needs. */
  public TraceWriter open(Path folder, List<String> instances) throws IOException {
    return TraceWriter.open(folder, instances, terms, 0, rules, RuleYaml.file(domain, rules));
  }

  /**
   * Makes one trace of the services' own, without a line that was cut off by a kill.
   *
   * @param folder with one folder per service, in which its trace is
   */
  public void join(Path folder, List<String> services) throws IOException {
    for (String service : services) {
      // Not written through: it may be the service's own file.
      Files.deleteIfExists(folder.resolve(file(service)));
    }
    open(folder, services).close();
    for (String service : services) {
      Path joined = folder.resolve(file(service));
      WholeLines.keep(folder.resolve(service).resolve(file(service)));
      Files.delete(joined);
      Files.createLink(joined, folder.resolve(service).resolve(file(service)));
    }
  }

  private static String file(String service) {
    return service + ".csv";
  }
}
