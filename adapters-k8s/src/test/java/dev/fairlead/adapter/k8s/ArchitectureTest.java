package dev.fairlead.adapter.k8s;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.fairlead.testkit.rules.AdapterRules;
import dev.fairlead.testkit.rules.UsesLibraries;

@AnalyzeClasses(packages = "dev.fairlead.adapter.k8s")
@UsesLibraries({"com.google.gson.", "dev.fairlead.http."})
class ArchitectureTest {
    @ArchTest
    static final ArchTests adapter = ArchTests.in(AdapterRules.class);
}
