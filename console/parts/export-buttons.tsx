import type { Admin } from '../data/admin.ts';

interface ExportButtonsProps {
  admin: Admin;
  name: string;
  onError: (error: unknown) => void;
}

export function ExportButtons({ admin, name, onError }: ExportButtonsProps) {
  const download = async (type: 'text/csv' | 'application/yaml') => {
    try {
      const url = URL.createObjectURL(await admin.export(name, type));
      const link = document.createElement('a');
      link.href = url;
      link.download = `${name}.${type === 'text/csv' ? 'csv' : 'yaml'}`;
      link.click();
      URL.revokeObjectURL(url);
    } catch (error) {
      onError(error);
    }
  };
  return (
    <>
      <button type="button" onClick={() => void download('text/csv')}>
        Export CSV
      </button>
      <button type="button" onClick={() => void download('application/yaml')}>
        Export YAML
      </button>
    </>
  );
}
