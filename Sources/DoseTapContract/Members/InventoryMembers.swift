package import SDBus

extension Contract {
    package enum Inventory {
        private static let name = InterfaceName.inventory

        package static let addBottle = Method(
            name, "AddBottle", records: true, takes: Parameter<VariantEntries>("bottle"), options, gives: receipt,
            summary: "Records new bottles or packets.",
            details: """
                bottle: amount s, the content of one bottle or packet (180mL, 4.5g). Optional: medication_id s (xywav, xyrem
                or lumryz; without it that of the regimen), concentration s (500mg/mL; without it that of the label), count
                (any integer, 1 to 100; 1).

                InvalidInput: the volume is 0 or above 10 L; the medicine is another one (details: nearest as); nobody says
                what a millilitre holds.

                receipt: metadata has kind s (bottle_received), medication_id s, unit_mg x, concentration s, count x.
                """)

        package static let pour = Method(
            name, "Pour", records: true, takes: Parameter<VariantEntries>("cup"), options, gives: receipt,
            summary: "Records a dose that was poured into a cup.",
            details: """
                The amount leaves the bottle now; the dose that is drunk from the cup takes no more from it.

                cup: optional medication_id s, for s (dose1, dose2, none). The amount is an option of every command; without
                it the amount of the regimen for that dose counts, else it is unknown.

                receipt: metadata has kind s (cup_poured), medication_id s, amount_mg x, for s; and warning a{sv} with
                left_mg x where more was poured than is on record. That is never refused.
                """)

        package static let correct = Method(
            name, "Correct", records: true, takes: Parameter<VariantEntries>("stock"), options, gives: receipt,
            summary: "Records a counted stock. Earlier entries about the stock no longer count.",
            details: """
                stock: left s (120mL, 0mL); of s, a medicine for all of its stock, or the id of bottles for what is left in
                them; packet s, the content of one packet, for a medicine in packets. options: also reason s.

                receipt: metadata has kind s (stock_counted), medication_id s, left_mg x, entry s.
                """)

        package static let discard = Method(
            name, "Discard", records: true, takes: id, options, gives: receipt,
            summary: "Records a cup, or a bottle with its remaining content, that was thrown away.",
            details: """
                id: the id or the handle of the entry. options: also reason s.

                NotFound: there is no such entry. Refused (already_discarded, already_used): it was thrown away or drunk
                before.
                """)

        package static let show = Method(
            name, "Show", gives: Parameter<WireObject>("inventory"),
            summary: "Returns the stock, the number of nights it lasts, and the poured cups.",
            details: """
                inventory: at t; date s, the present session date; supplies av of a{sv}: medication_id s, level s (ok, low,
                critical, empty, unknown), left_mg x, left_ml d or left_packets x, packet_mg x, concentration s,
                unknown_amounts x (where there are any, left_mg is an upper bound), overdrawn_mg x, per_night_mg x,
                per_night_source s (regimen, mean), days x, low_on s, refill_by s (the first session date without enough),
                bottles av of a{sv} (id s, received_at t, unit_mg x, left_mg x); cups av of a{sv}: id s, medication_id s,
                amount_mg x, for s, poured_at t, until t.

                The level is low with 10 nights or fewer, critical with 3 or fewer. Unknown values are left out.
                """)

        package static let interface = Interface(
            name: name,
            summary: """
                The stock of the medicines of the night. The amounts left follow from what came in and what was used; they are
                not recorded. Entries are amended (time, amount, note), deleted and undone with the interface Session.
                """,
            members: [addBottle.member, pour.member, correct.member, discard.member, show.member])
    }
}
