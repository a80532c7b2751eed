package io.quotaenforcer.enforcer.query;

import java.net.URI;
import java.util.List;

/** Throws {@link NotReadyException} until the query to delegate to is set. */
public final class LateEnforcersQuery implements EnforcersQuery {
  private volatile EnforcersQuery source =
      () -> {
        throw new NotReadyException("the enforcer is starting");
      };

  public void answerWith(EnforcersQuery query) {
    source = query;
  }

  @Override
  public List<URI> enforcers() {
    return source.enforcers();
  }

  @Override
  public List<Gone> gone() {
    return source.gone();
  }
}
