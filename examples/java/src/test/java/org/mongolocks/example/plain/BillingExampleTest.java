package org.mongolocks.example.plain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class BillingExampleTest {
    private static final Pattern BILLED = Pattern.compile("(\\w+) billed (\\d+) invoices");

    @Test
    void eachInvoiceIsBilledOnceAndTheLeaderReportsIt() throws Exception {
        String output = outputOfMain();

        assertThat(output).contains(BillingExample.INVOICES + " invoices, " + BillingExample.INVOICES + " charges");
        assertThat(output).contains("billed=" + BillingExample.INVOICES + ",").contains("leader=");
        assertThat(billed(output)).isEqualTo(BillingExample.INVOICES);
    }

    private static int billed(String output) {
        Matcher lines = BILLED.matcher(output);
        int sum = 0;
        while (lines.find()) {
            sum += Integer.parseInt(lines.group(2));
        }
        return sum;
    }

    private static String outputOfMain() throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
        try {
            BillingExample.main(new String[0]);
        } finally {
            System.setOut(before);
        }
        return output.toString(StandardCharsets.UTF_8);
    }
}
