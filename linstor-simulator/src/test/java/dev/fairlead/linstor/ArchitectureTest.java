package dev.fairlead.linstor;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.fairlead.testkit.rules.LibraryRules;
import dev.fairlead.testkit.rules.UsesLibraries;

@AnalyzeClasses(packages = "dev.fairlead.linstor")
@UsesLibraries({"com.google.gson.", "com.sun.net.httpserver."})
class ArchitectureTest {
    @ArchTest
    static final ArchTests library = ArchTests.in(LibraryRules.class);
}
