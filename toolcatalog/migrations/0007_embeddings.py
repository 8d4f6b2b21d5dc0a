"""The queue of tools that wait for a vector, and, where the server has pgvector, the table of vectors."""

from django.db import migrations, models

from toolcatalog.search.providers.semantic import create_vector_table


def create(apps, schema_editor):
    create_vector_table(schema_editor.connection.alias)


def drop(apps, schema_editor):
    schema_editor.execute("DROP TABLE IF EXISTS toolcatalog_toolvector")


class Migration(migrations.Migration):

    dependencies = [
        ('toolcatalog', '0006_calls'),
    ]

    operations = [
        migrations.CreateModel(
            name='EmbeddingJob',
            fields=[
                ('tool_id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('attempts', models.SmallIntegerField(default=0)),
                ('due_at', models.DateTimeField()),
                ('error', models.TextField(default='')),
            ],
            options={
                'verbose_name': 'embedding job',
                'verbose_name_plural': 'embedding jobs',
                'indexes': [models.Index(fields=['due_at'], name='embedding_job_due')],
            },
        ),
        migrations.RunPython(create, drop),
    ]
