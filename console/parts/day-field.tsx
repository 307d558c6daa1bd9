import { type CalendarDate, parseDate } from '@internationalized/date';
import { Calendar as CalendarIcon, ChevronLeft, ChevronRight, X } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components/Button';
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
} from 'react-aria-components/Calendar';
import { DateInput, DateSegment } from 'react-aria-components/DateField';
import { DatePicker } from 'react-aria-components/DatePicker';
import { Dialog } from 'react-aria-components/Dialog';
import { Group } from 'react-aria-components/Group';
import { Heading } from 'react-aria-components/Heading';
import { Label } from 'react-aria-components/Label';
import { Popover } from 'react-aria-components/Popover';
import { FieldNotes } from './fields.tsx';
import { shared } from './texts.ts';

interface DayFieldProps {
  label: string;
  hint?: string;
  fault?: string | undefined;
  /** A day like 2027-01-31; null for no day. */
  value: string | null;
  onChange: (day: string | null) => void;
}

/** A day, typed in the reader's date format or picked from a calendar. */
export function DayField({ label, hint, fault, value, onChange }: DayFieldProps) {
  return (
    <DatePicker<CalendarDate>
      className="field day-field"
      value={value === null ? null : parseDate(value)}
      onChange={(day) => onChange(day === null ? null : isoDay(day))}
      isInvalid={fault !== undefined}
      shouldForceLeadingZeros
    >
      <Label>{label}</Label>
      <Group className="day-input">
        <DateInput className="segments">{(segment) => <DateSegment segment={segment} className="segment" />}</DateInput>
        {value !== null && (
          // `slot={null}`, because the date picker would otherwise make this the button that opens the calendar.
          <AriaButton
            slot={null}
            className="button icon"
            aria-label={`${shared.clear}: ${label}`}
            onPress={() => onChange(null)}
          >
            <X aria-hidden="true" size={16} />
          </AriaButton>
        )}
        <AriaButton className="button icon" aria-label={`${shared.openCalendar}: ${label}`}>
          <CalendarIcon aria-hidden="true" size={16} />
        </AriaButton>
      </Group>
      <FieldNotes hint={hint} fault={fault} />
      <Popover className="popover">
        <Dialog className="calendar" aria-label={label}>
          <Calendar>
            <header>
              <AriaButton slot="previous" className="button icon">
                <ChevronLeft aria-hidden="true" size={18} className="flips" />
              </AriaButton>
              <Heading />
              <AriaButton slot="next" className="button icon">
                <ChevronRight aria-hidden="true" size={18} className="flips" />
              </AriaButton>
            </header>
            <CalendarGrid>
              <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
              <CalendarGridBody>{(date) => <CalendarCell date={date} className="calendar-day" />}</CalendarGridBody>
            </CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </DatePicker>
  );
}

/** Converts the day to the Gregorian calendar, which the service uses. */
function isoDay(day: CalendarDate): string {
  return day.toString().slice(0, 10);
}
