import { useState } from 'react';
import { listNamePattern } from '../data/patterns.ts';
import { faultOf, TextField } from '../parts/parts.tsx';
import { FormDialog, valueFrom } from './form-dialog.tsx';

export function NewListDialog({
  onClose,
  onSave,
}: {
  onClose: () => void;
  onSave: (list: string, title: string) => Promise<void>;
}) {
  const [title, setTitle] = useState('');
  const [list, setList] = useState('');
  const [isOwnName, setOwnName] = useState(false);
  return (
    <FormDialog
      title="New list"
      action="Create list"
      onClose={onClose}
      onSave={async () => {
        await onSave(list, title.trim());
        return true;
      }}
    >
      {(error) => (
        <>
          <TextField
            label="Title"
            hint="Shown to those who manage the list"
            fault={faultOf(error, 'title')}
            dir="auto"
            required
            value={title}
            onChange={(text) => {
              setTitle(text);
              if (!isOwnName) setList(valueFrom(text).toLowerCase().replaceAll('_', '-'));
            }}
          />
          <TextField
            label="Name"
            hint="Its address: /employee/name. Can’t be changed later"
            fault={faultOf(error, 'list')}
            required
            pattern={listNamePattern}
            title="Lower-case words joined by hyphens"
            value={list}
            onChange={(text) => {
              setOwnName(true);
              setList(text);
            }}
          />
        </>
      )}
    </FormDialog>
  );
}
