package io.quotaenforcer.docs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** YAML, strictly read: no key twice. */
final class Yaml {
  private static final String MERGED = "<<";

  private Yaml() {}

  /** The documents of a file that are not empty. */
  static List<Map<String, Object>> documents(String text) {
    Load load = new Load(LoadSettings.builder().setAllowDuplicateKeys(false).build());
    List<Map<String, Object>> documents = new ArrayList<>();
    for (Object document : load.loadAllFromString(text)) {
      if (document != null) {
        documents.add(map(merged(document)));
      }
    }
    return documents;
  }

  /** What is at a path of keys; an empty map where there is nothing. */
  static Map<String, Object> map(Object of, String... path) {
    Object at = at(of, path);
    if (at == null) {
      return Map.of();
    }
    Map<String, Object> typed = new LinkedHashMap<>();
    ((Map<?, ?>) at).forEach((key, value) -> typed.put((String) key, value));
    return typed;
  }

  /** Likewise a list. */
  static List<Object> list(Object of, String... path) {
    Object at = at(of, path);
    return at == null ? List.of() : new ArrayList<>((List<?>) at);
  }

  /** Likewise a text, or a number as one. */
  static String text(Object of, String... path) {
    return String.valueOf(at(of, path));
  }

  private static Object at(Object of, String... path) {
    Object at = of;
    for (String key : path) {
      at = at == null ? null : ((Map<?, ?>) at).get(key);
    }
    return at;
  }

  /** With the keys of {@code <<} in its place, as older YAML and Compose have it. */
  private static Object merged(Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(Yaml::merged).toList();
    }
    if (!(value instanceof Map<?, ?> map)) {
      return value;
    }
    Map<Object, Object> all = new LinkedHashMap<>();
    if (map.get(MERGED) instanceof Map<?, ?> from) {
      ((Map<?, ?>) merged(from)).forEach(all::put);
    }
    map.forEach(
        (key, each) -> {
          if (!key.equals(MERGED)) {
            all.put(key, merged(each));
          }
        });
    return all;
  }
}
