package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.schemas.setting.Environment;
import io.quotaenforcer.schemas.setting.Setting;
import io.quotaenforcer.schemas.setting.SettingValues;
import java.util.Optional;

/** Origin of a setting's value: the place to change if it is wrong. */
final class Origins {
  private Origins() {}

  /** An option, an environment variable, a key of a file, or the default. */
  static String of(SettingValues values, Setting<?> setting) {
    String key = setting.key();
    Optional<String> source = values.source(setting);
    if (source.isEmpty()) {
      return "the default of " + key;
    }
    String name = source.get();
    if (name.isEmpty()) {
      return key;
    }
    if (name.equals(Environment.NAME)) {
      return "$" + Environment.variable(key);
    }
    // An option or a variable is a source by itself.
    return name.matches("(--|[$]).*") ? name : key + " of " + name;
  }
}
