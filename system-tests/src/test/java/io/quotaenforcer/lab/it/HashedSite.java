package io.quotaenforcer.lab.it;

import io.quotaenforcer.broker.BrokerOptions;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A broker and an enforcer, with rules that hash an attribute and the keys to hash it with. */
final class HashedSite {
  /** The value of the attribute that is hashed. */
  static final String SECRET = "zelda.hidden+7@example.com";

  /** A value that is not. */
  static final String CONTROL = "visible-user-4711";

  static final String RULE = "accounts/per-email";
  static final String STRICT_RULE = "accounts/per-email-strict";

  /** Permits of the strict rule in each of its windows. */
  static final int STRICT_PERMITS = 50;

  static final long STRICT_WINDOW_MILLIS = 5_000;
  private static final String RULES =
      """
      domain: accounts
      rules:
        - id: per-email
          key: [{attribute: email, hash: true}]
          limit: {permits: 100000, per: 1d, algorithm: fixed-window}
        - id: per-email-strict
          match: {kind: strict}
          key: [{attribute: email, hash: true}]
          limit: {permits: 50, per: 5s, algorithm: fixed-window}
          enforcement: strict
        - id: per-email-deferred
          match: {kind: mail}
          key: [{attribute: email, hash: true}]
          limit: {permits: 1, per: 2s, algorithm: fixed-window}
          enforcement: strict
          over-limit: defer
        - id: of-the-house
          match: {email: "*@example.com", house: "yes"}
          key: [user]
          limit: {permits: 1, per: 7d, algorithm: fixed-window}
        - id: per-user
          key: [user]
          limit: {permits: 100000, per: 1d, algorithm: fixed-window}
      """;

  final Path folder;
  final String servers;
  final EnforcerJvm enforcer;

  /** The file of keys that services read. */
  final Path keys;

  private final List<String> said = new ArrayList<>();

  /**
   * @param open closes broker and enforcer
   */
  HashedSite(Opened open, Path folder) throws Exception {
    this.folder = folder;
    BrokerOptions options = BrokerOptions.defaults().withDataFolder(folder.resolve("broker"));
    servers = PreparedBroker.start(open, options, 2, folder, RULES).bootstrapServers();
    keys = folder.resolve("keys");
    writeKeys(keys, quota("hash", "--generate", "2026-11"));
    enforcer = EnforcerJvm.start(folder.resolve("enforcer"), servers);
    open.add(enforcer);
    enforcer.awaitReady();
  }

  /** The file of rules that are in force. */
  Path rules() {
    return folder.resolve("rules.yaml");
  }

  static Request request() {
    return Request.of("email", SECRET, "user", CONTROL);
  }

  /** Settings of a service that hashes. */
  Map<String, Object> settings(String instance) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", servers);
    settings.put("instance.id", instance);
    settings.put("hash.keys.file", keys.toString());
    return settings;
  }

  /** Replaces a file as an operator should: by another one that nobody else may read. */
  static void writeKeys(Path file, String lines) throws Exception {
    Path next =
        Files.createTempFile(
            file.getParent(),
            "keys",
            "",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(next, lines + "\n", StandardCharsets.UTF_8);
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
  }

  /** The output of a command that must succeed. */
  String quota(String... arguments) {
    QuotaRun run = QuotaRun.done(arguments);
    said.add(run.out() + run.err());
    return run.out();
  }

  /** Adds text that somebody may read. */
  void says(String text) {
    said.add(text);
  }

  /** All that commands printed and answers said. */
  List<String> said() {
    return List.copyOf(said);
  }

  String server() {
    return "--bootstrap-server=" + servers;
  }

  String atEnforcer() {
    return "--enforcer=http://" + enforcer.address();
  }

  String hashKeys() {
    return "--hash-keys=" + keys;
  }
}
