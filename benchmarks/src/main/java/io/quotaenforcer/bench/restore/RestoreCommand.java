package io.quotaenforcer.bench.restore;

import io.quotaenforcer.bench.options.JsonOption;
import io.quotaenforcer.enforcer.cli.CommandException;
import io.quotaenforcer.enforcer.cli.ExitCode;
import io.quotaenforcer.enforcer.embedded.TemporaryFolder;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota bench restore}: the time from a kill to the successor's answers. */
@Command(
    name = "restore",
    description = {
      "Fills the ledger of an enforcer with keys, through usage reports, kills it with SIGKILL, and"
          + " measures the time until another one answers reports to its partitions: without and"
          + " with a standby copy.",
      "A broker in this process, two enforcers as processes of their own with "
          + RestoreRun.HEAP_MEBIBYTES
          + " MiB of heap and rocksdb.memory.mb="
          + RestoreRun.ROCKSDB_MEBIBYTES
          + " each."
    })
public final class RestoreCommand implements Callable<Integer> {
  private static final int KEYS = 1_000_000;
  private static final int QUICK_KEYS = 100_000;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--keys",
      paramLabel = "N",
      description = "Quota keys of the enforcer that is killed. Default: 1000000.")
  private @Nullable Integer keys;

  @Option(names = "--quick", description = "100,000 keys.")
  private boolean quick;

  @Option(
      names = "--standby-replicas",
      split = ",",
      defaultValue = "0,1",
      paramLabel = "N",
      description = "Copies of each store; one run for each. Default: ${DEFAULT-VALUE}.")
  private List<Integer> standbyReplicas = List.of(0, 1);

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws Exception {
    int wanted = keys != null ? keys : quick ? QUICK_KEYS : KEYS;
    if (wanted < 1) {
      throw new CommandException(ExitCode.USAGE, "must be >= 1: --keys=" + wanted);
    }
    for (int replicas : standbyReplicas) {
      if (replicas < 0 || replicas > 1) {
        throw new CommandException(
            ExitCode.USAGE, "must be 0 or 1: --standby-replicas=" + replicas);
      }
    }
    json.check();
    PrintWriter out = spec.commandLine().getOut();
    List<RestoreResult> results = new ArrayList<>();
    for (int replicas : standbyReplicas) {
      RestoreResult result = run(wanted, replicas);
      results.add(result);
      out.println(result.describe());
      out.println(result.describeLedger());
      out.flush();
    }
    json.write(() -> toJson(results));
    return ExitCode.DONE;
  }

  private static Map<String, Object> toJson(List<RestoreResult> results) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("heapMebibytes", RestoreRun.HEAP_MEBIBYTES);
    all.put("rocksdbMebibytes", RestoreRun.ROCKSDB_MEBIBYTES);
    all.put("takeovers", results.stream().map(RestoreResult::toJson).toList());
    return all;
  }

  private RestoreResult run(int wanted, int replicas) throws Exception {
    PrintWriter err = spec.commandLine().getErr();
    try (TemporaryFolder folder = TemporaryFolder.create("quota-bench-restore-")) {
      return new RestoreRun(
              folder.path(),
              wanted,
              replicas,
              what -> {
                err.println("%d standby replica(s): %s".formatted(replicas, what));
                err.flush();
              })
          .run();
    }
  }
}
