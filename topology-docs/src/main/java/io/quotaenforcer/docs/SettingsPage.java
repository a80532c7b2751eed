package io.quotaenforcer.docs;

import static io.quotaenforcer.docs.Markdown.code;

import io.quotaenforcer.client.internal.config.AdmissionSettings;
import io.quotaenforcer.enforcer.config.EnforcerSettings;
import io.quotaenforcer.enforcer.config.StreamsSettings;
import io.quotaenforcer.gateway.GatewaySettings;
import io.quotaenforcer.schemas.setting.Environment;
import io.quotaenforcer.schemas.setting.PassThrough;
import io.quotaenforcer.schemas.setting.Setting;
import io.quotaenforcer.schemas.setting.Settings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Every setting of the admission client and of the enforcer. */
final class SettingsPage {
  private SettingsPage() {}

  static Page write() {
    Markdown page =
        Markdown.page(
                "Settings",
                "`AdmissionSettings`, `EnforcerSettings`, `StreamsSettings`, `GatewaySettings`")
            .paragraph(
                "An unknown key or a wrong value stops the start, with the nearest known key in the"
                    + " message. Durations are written `500ms`, `2s`, `10m`, `1h`, `1d`.")
            .heading("Admission client and request event emitter")
            .paragraph(
                "Properties of `AdmissionClient.create` or `AdmissionClient.builder()`, and of"
                    + " `RequestEventEmitter.create`.")
            .table(
                List.of("key", "type", "default", "meaning"),
                AdmissionSettings.ALL.all().stream().map(SettingsPage::clientRow).toList());
    handedOn(page, AdmissionSettings.ALL);
    page.heading("Enforcer")
        .paragraph(
            "In the file of `quota enforcer --config FILE`, or in the environment, which goes"
                + " before the file. Options of the command go before both.")
        .table(
            List.of("key", "environment variable", "type", "default", "meaning"),
            EnforcerSettings.ALL.all().stream().map(SettingsPage::enforcerRow).toList());
    handedOn(page, EnforcerSettings.ALL);
    page.paragraph("Refused among the keys of Kafka Streams:")
        .table(
            List.of("key", "why"),
            new TreeMap<>(StreamsSettings.OWNED)
                .entrySet().stream().map(SettingsPage::refusedRow).toList());
    return page.heading("Gateway")
        .paragraph(
            "In the file of `quota gateway --config FILE`, or in the environment, which goes before"
                + " the file. Those of the admission client are settings of a gateway too, and"
                + " handed on as there.")
        .table(
            List.of("key", "environment variable", "type", "default", "meaning"),
            GatewaySettings.own().stream().map(SettingsPage::enforcerRow).toList())
        .to("settings.md");
  }

  private static void handedOn(Markdown page, Settings settings) {
    page.paragraph("Handed on to the libraries that own them:")
        .table(
            List.of("keys that begin with", "as"),
            settings.passThrough().stream().map(SettingsPage::passThroughRow).toList());
  }

  private static List<String> clientRow(Setting<?> setting) {
    return List.of(code(setting.key()), setting.type().name(), defaultOf(setting), setting.doc());
  }

  private static List<String> enforcerRow(Setting<?> setting) {
    return List.of(
        code(setting.key()),
        code(Environment.variable(setting.key())),
        setting.type().name(),
        defaultOf(setting),
        setting.doc());
  }

  private static List<String> passThroughRow(PassThrough library) {
    return List.of(
        code(library.prefix()),
        library.strip() ? "the rest of the key, without the prefix" : "the whole key");
  }

  private static List<String> refusedRow(Map.Entry<String, String> owned) {
    return List.of(code("streams." + owned.getKey()), owned.getValue());
  }

  private static String defaultOf(Setting<?> setting) {
    return setting
        .defaultText()
        .map(text -> text.isEmpty() ? "empty" : code(text))
        .orElse("must be set");
  }
}
