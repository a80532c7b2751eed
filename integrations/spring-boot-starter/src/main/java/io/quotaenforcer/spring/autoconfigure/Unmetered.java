package io.quotaenforcer.spring.autoconfigure;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.StandaloneAdmission;
import org.springframework.beans.factory.ObjectProvider;

/** The admission that knows how it stands, also where one that counts goes before it. */
final class Unmetered {
  private Unmetered() {}

  static Admission of(ObjectProvider<Admission> admissions) {
    return admissions.stream()
        .filter(each -> each instanceof AdmissionClient || each instanceof StandaloneAdmission)
        .findFirst()
        .orElseGet(admissions::getObject);
  }
}
