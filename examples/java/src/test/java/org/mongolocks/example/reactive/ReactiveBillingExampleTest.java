package org.mongolocks.example.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReactiveBillingExampleTest {
    private static final Pattern BILLED = Pattern.compile("(\\w+) billed (\\d+) invoices");

    @Test
    void eachInvoiceIsBilledOnce() {
        String output = outputOfMain();

        assertThat(output)
                .contains(
                        ReactiveBillingExample.INVOICES + " invoices, " + ReactiveBillingExample.INVOICES + " charges");
        assertThat(billed(output)).isEqualTo(ReactiveBillingExample.INVOICES);
    }

    private static int billed(String output) {
        Matcher lines = BILLED.matcher(output);
        int sum = 0;
        while (lines.find()) {
            sum += Integer.parseInt(lines.group(2));
        }
        return sum;
    }

    private static String outputOfMain() {
        PrintStream before = System.out;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
        try {
            ReactiveBillingExample.main(new String[0]);
        } finally {
            System.setOut(before);
        }
        return output.toString(StandardCharsets.UTF_8);
    }
}
